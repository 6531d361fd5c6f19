import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class TokenFiles {

    private static final Path ROOT = Path.of("/srv/tokens");

    private static void reply(HttpExchange ex, int status, byte[] data) throws IOException {
        ex.sendResponseHeaders(status, data.length);
        ex.getResponseBody().write(data);
        ex.close();
    }

    private static void byQuery(HttpExchange ex) throws IOException {
        String raw = ex.getRequestURI().getRawQuery();
        if (raw.contains("..") || raw.contains("/")) {
            reply(ex, 400, new byte[0]);
            return;
        }
        String name = URLDecoder.decode(raw, StandardCharsets.UTF_8);
        byte[] data = Files.readAllBytes(ROOT.resolve(name));
        reply(ex, 200, data);
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
        server.createContext("/token", TokenFiles::byQuery);
        server.start();
    }
}
