package app.notewright.ws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

@ServerEndpoint("/ws/editor")
public class EditorEndpoint {

    private static final Path PROFILES = Path.of("/srv/notes/profiles");
    private static final Path SNIPPETS = Path.of("/srv/notes/snippets");
    private static final Path TEMPLATES = Path.of("/srv/notes/templates");
    private static final Path DRAFTS = Path.of("/srv/notes/drafts");

    private final ObjectMapper mapper = new ObjectMapper();
    private Path profile;

    @OnOpen
    public void open(Session session) {
        List<String> names = session.getRequestParameterMap().getOrDefault("profile", List.of("default"));
        profile = PROFILES.resolve(names.get(0));
    }

    @OnMessage
    public String message(String text) throws IOException {
        JsonNode message = mapper.readTree(text);
        String arg = message.path("arg").asText();
        return switch (message.path("op").asText()) {
            case "settings" -> settings();
            case "snippet" -> snippet(arg);
            case "template" -> template(arg);
            case "draft" -> draft(arg, message.path("body").asText());
            default -> "{}";
        };
    }

    private String settings() throws IOException {
        return Files.readString(profile);
    }

    private String snippet(String id) throws IOException {
        if (id.contains("..") || id.startsWith("/")) {
            throw new IOException("bad snippet id");
        }
        String name = new String(Base64.getUrlDecoder().decode(id), StandardCharsets.UTF_8);
        Path file = SNIPPETS.resolve(name);
        return Files.readString(file);
    }

    private String template(String name) throws IOException {
        Path file = TEMPLATES.resolve(name).toAbsolutePath().normalize();
        if (!file.startsWith(TEMPLATES)) {
            throw new IOException("no such template");
        }
        return Files.readString(file);
    }

    private String draft(String title, String body) throws IOException {
        UUID id = UUID.nameUUIDFromBytes(title.getBytes(StandardCharsets.UTF_8));
        Files.writeString(DRAFTS.resolve(id + ".md"), body);
        return id.toString();
    }
}
