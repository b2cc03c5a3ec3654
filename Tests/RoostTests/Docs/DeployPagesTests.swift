import Glibc
import Testing

/// The pages about deploying and scaling, and the files that they tell to copy.
@Suite(.timeLimit(.minutes(5)))
struct `The pages about deploying` {
    private static let files = [
        "Caddyfile", "compose.yaml", "haproxy.cfg", "kubernetes-migrate.yaml", "kubernetes.yaml", "nginx.compose.conf",
        "nginx.conf", "pgbouncer.ini", "roost.service", "roost.socket",
    ]

    @Test(arguments: ["deploy", "scaling"])
    func `what they link to exists`(page: String) {
        let text = Readme.contents("docs/\(page).md")
        let links = text.components(between: "](", and: ")").map { String($0.prefix { $0 != "#" }) }
        #expect(!links.isEmpty)
        for link in links { #expect(access("\(Readme.root)/docs/\(link)", F_OK) == 0, "\(link)") }
    }

    @Test func `each file is explained on one of them`() {
        let text = Readme.contents("docs/deploy.md") + Readme.contents("docs/scaling.md")
        for file in Self.files {
            #expect(!Readme.contents("docs/deploy/" + file).isEmpty, "\(file)")
            #expect(file == "nginx.compose.conf" || text.contains("deploy/" + file), "\(file)")
        }
    }

    /// Beside the site's own settings: those of its neighbours, and parts of others' names.
    private static let others = ["AF_", "LISTEN_FDS", "PG", "POSTGRES_"]

    @Test(arguments: ["docs/deploy.md", "docs/scaling.md"] + files.map { "docs/deploy/" + $0 })
    func `every setting that they name exists`(path: String) {
        let known = Readme.exampleVariables
        let words = Readme.contents(path).split { !($0.isUppercase || $0 == "_" || $0.isNumber) }
        for word in words
        where word.contains("_") && word.first?.isUppercase == true
            && !Self.others.contains(where: word.hasPrefix)
        {
            #expect(known[String(word)] != nil, "\(path): \(word)")
        }
    }

    @Test func `nginx is the same in a container, but for the site's name`() {
        func code(_ file: String) -> String {
            Readme.contents("docs/deploy/" + file).split(separator: "\n").dropFirst(2).joined(separator: "\n")
        }
        #expect(code("nginx.conf").replacing("unix:/run/roost.sock", with: "site:3000") == code("nginx.compose.conf"))
    }

    /// Of flash messages, and of sessions that are kept in a cookie.
    @Test func `nginx has room for the largest cookies that a response may set`() {
        #expect(Readme.contents("docs/deploy/nginx.conf").contains("\n    proxy_buffer_size 16k;\n"))
        let ingress = Readme.contents("docs/deploy/kubernetes.yaml")
        #expect(ingress.contains("\n    nginx.ingress.kubernetes.io/proxy-buffer-size: 16k\n"))
    }

    /// A check over HTTP/2 (`proto h2`) without a host is malformed, and no instance would be up.
    @Test func `HAProxy checks with a host`() {
        let text = Readme.contents("docs/deploy/haproxy.cfg")
        #expect(text.contains("\n    http-check send meth GET uri /health/ready hdr Host example.com\n"))
    }

    /// Docker passes on IPv6 from an address that the site trusts: it would believe the entry before that one.
    @Test(arguments: ["deploy/nginx.conf", "deploy/nginx.compose.conf", "proxies.md"])
    func `nginx passes on no address that a client has written`(file: String) {
        let text = Readme.contents("docs/" + file)
        #expect(text.contains("$remote_addr;"))
        #expect(!text.contains("$proxy_add_x_forwarded_for"))
    }

    @Test func `a request for another host is not redirected to it`() {
        #expect(Readme.contents("docs/deploy/nginx.conf").contains("    return 444;\n"))
        #expect(Readme.contents("docs/deploy/Caddyfile").contains("\nhttp:// {\n\tabort\n}\n"))
    }

    @Test func `the Ingress has a class, and leaves the limits of uploads to the site`() {
        let text = Readme.contents("docs/deploy/kubernetes.yaml")
        for line in [
            "  ingressClassName: nginx", "    nginx.ingress.kubernetes.io/proxy-body-size: \"0\"",
            "    nginx.ingress.kubernetes.io/proxy-request-buffering: \"off\"",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
    }
}
