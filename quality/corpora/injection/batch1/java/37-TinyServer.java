package tiny;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.sql.*;

public class TinyServer {

    private static Connection con;

    private static String cookie(HttpExchange ex, String name) {
        String header = ex.getRequestHeaders().getFirst("Cookie");
        if (header == null) {
            return "";
        }
        for (String part : header.split(";")) {
            String[] kv = part.trim().split("=", 2);
            if (kv.length == 2 && kv[0].equals(name)) {
                return kv[1];
            }
        }
        return "";
    }

    private static void send(HttpExchange ex, String text) throws IOException {
        byte[] b = text.getBytes(StandardCharsets.UTF_8);
        ex.sendResponseHeaders(200, b.length);
        ex.getResponseBody().write(b);
        ex.close();
    }

    private static String first(String sql) throws IOException {
        try (Statement st = con.createStatement(); ResultSet rs = st.executeQuery(sql)) {
            return rs.next() ? rs.getString(1) : "";
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        con = DriverManager.getConnection("jdbc:h2:mem:tiny");
        HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);

        server.createContext("/session", ex ->
                send(ex, first("SELECT data FROM session WHERE sid = '" + cookie(ex, "sid") + "'")));

        server.createContext("/note", ex -> {
            String[] lines = new String(ex.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("\n", 2);
            Files.writeString(Paths.get("/srv/notes/" + lines[0]), lines[1]);
            send(ex, "saved");
        });

        server.createContext("/lang", ex -> {
            String lang = ex.getRequestHeaders().getFirst("Accept-Language");
            Process p = Runtime.getRuntime().exec(new String[] {"sh", "-c", "LANG=" + lang + " date"});
            send(ex, new String(p.getInputStream().readAllBytes()));
        });

        server.createContext("/now", ex -> {
            Process p = Runtime.getRuntime().exec(new String[] {"sh", "-c", "LANG=C date"});
            send(ex, new String(p.getInputStream().readAllBytes()));
        });

        server.createContext("/raw", ex ->
                send(ex, Files.readString(Paths.get("/srv/raw", ex.getRequestURI().getQuery()))));
        server.start();
    }
}
