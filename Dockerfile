# Two stages: the toolchain builds, a slim Debian runs.
FROM swift:6.3-bookworm AS build
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libevent-dev libpq-dev libsqlite3-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build

# The packages change rarely: resolve them before the sources are there, so that this layer is kept.
COPY Package.swift ./
COPY Tests/Hello Tests/Hello
COPY Tests/Allocations Tests/Allocations
RUN mkdir -p Tests/RoostTests Tests/RoostSQLTests Tests/RoostSQLiteTests Tests/RoostPostgresTests Tests/Processes \
    Tests/AppTests && swift package resolve

COPY Sources Sources
RUN swift build -c release --product App --static-swift-stdlib \
    && strip -o App "$(swift build -c release --product App --static-swift-stdlib --show-bin-path)/App"

FROM debian:bookworm-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libevent-core-2.1-7 libpq5 libsqlite3-0 \
    && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /usr/share/locale \
    && find /usr/share/doc -type f ! -name copyright -delete \
    && useradd --system --no-create-home --shell /usr/sbin/nologin roost \
    && install -d -o roost -g roost -m 700 /data

WORKDIR /app
COPY Templates Templates
COPY public public
COPY --from=build /build/App ./

USER roost
VOLUME /data
ENV HOST=0.0.0.0 PORT=3000 ROOST_ENV=production DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/app/App", "health"]
ENTRYPOINT ["/app/App"]
