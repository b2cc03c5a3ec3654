# A stage with the toolchain builds the program. The image contains only the program and its libraries, without a shell.
#
# The base is named by a tag, which moves. To build from exactly the same image again, name it by digest, as in
# `FROM swift:6.3-bookworm@sha256:…`: `docker buildx imagetools inspect swift:6.3-bookworm` prints it.
FROM swift:6.3-bookworm AS build
# The image's libraries come from here, with all of Debian's security fixes.
RUN grep -qrs debian-security /etc/apt/sources.list /etc/apt/sources.list.d \
    || echo 'deb http://deb.debian.org/debian-security bookworm-security main' >/etc/apt/sources.list.d/security.list; \
    export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && apt-get upgrade -y -qq --no-install-recommends \
    && apt-get install -y -qq --no-install-recommends \
        busybox-static ca-certificates libcmark-gfm-dev libcmark-gfm-extensions-dev libcurl4-openssl-dev libevent-dev \
        libnghttp2-dev libpq-dev libsodium-dev libsqlite3-dev libssl-dev pkg-config tzdata zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY .ci/libevent .ci/closure .ci/
RUN .ci/libevent

# The packages change rarely. They are resolved before the sources are copied, so that this layer is cached.
COPY Package.swift ./
COPY Tests/Hello Tests/Hello
COPY Tests/UserSite Tests/UserSite
COPY Tests/Chat Tests/Chat
COPY Tests/Allocations Tests/Allocations
RUN mkdir -p Tests/RoostTests Tests/RoostSQLTests Tests/RoostSQLiteTests Tests/RoostPostgresTests Tests/RoostAuthTests Tests/Processes \
    Tests/RoostCommandsTests Tests/RoostHTTPClientTests Tests/RoostJobsTests Tests/RoostMailTests Tests/RoostTLSTests Tests/Engines \
    Tests/AppTests Tests/PatternsTests && swift package resolve

# Debug information would take a tenth of the time, and the image has none. lld and packed relocations make the program
# 6% smaller, and another 3% goes with the names that only a plugin would look up. The part of the C++ library that the
# Swift runtime uses is linked in: 0.1 MB instead of 2.2.
COPY Sources Sources
RUN mkdir /static && ln -s "$(clang -print-file-name=libstdc++.a)" /static/ \
    && flags="-c release --product App -debug-info-format none --static-swift-stdlib -Xswiftc -use-ld=lld \
        -Xswiftc -L/static -Xlinker --no-export-dynamic -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs"; \
    swift build $flags && strip -o App "$(swift build $flags --show-bin-path)/App"

# The image's root: its user, how names are looked up, certificates, time zones, the program and its libraries.
RUN mkdir -p /image/app /image/etc/ssl/certs /image/usr/share/zoneinfo \
    && install -d -m 1777 /image/tmp && install -d -m 700 /volume/data \
    && printf '%s\n' 'root:x:0:0::/:/sbin/nologin' 'roost:x:999:999::/data:/sbin/nologin' >/image/etc/passwd \
    && printf '%s\n' 'root:x:0:' 'roost:x:999:' >/image/etc/group \
    && echo 'hosts: files dns' >/image/etc/nsswitch.conf \
    && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
    && zic -b slim -d /image/usr/share/zoneinfo /usr/share/zoneinfo/tzdata.zi \
    && cp /usr/share/zoneinfo/zone.tab /image/usr/share/zoneinfo/ \
    && cp App /image/app/ && .ci/closure App /image

FROM scratch AS site
COPY --from=build /image /
# COPY gives the owner to what it copies, but not to a folder that already exists.
COPY --from=build --chown=999:999 /volume /
WORKDIR /app
# Whatever the checkout's umask was, the user below can read them.
COPY --chmod=755 Templates Templates
COPY --chmod=755 public public
COPY --chmod=755 docs docs
USER 999:999
VOLUME /data
ENV HOST=0.0.0.0 PORT=3000 ROOST_ENV=production DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/app/App", "health"]
ENTRYPOINT ["/app/App"]

# The same with a shell, to look inside: docker build --target debug -t roost-debug .
FROM site AS debug
COPY --from=build /bin/busybox /bin/busybox
ENTRYPOINT ["/bin/busybox", "sh"]

FROM site
