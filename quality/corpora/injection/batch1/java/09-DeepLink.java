package app.links;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

@Controller
public class DeepLink {

    private final Path root = Path.of("/srv/deep");

    private String decode(String s) {
        return new String(Base64.getUrlDecoder().decode(s), StandardCharsets.UTF_8);
    }

    private String encode(String s) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(s.getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping("/d/{token}")
    public ResponseEntity<byte[]> open(@PathVariable String token) throws IOException {
        String normalized = encode(decode(token));
        String name = decode(normalized);
        return ResponseEntity.ok(Files.readAllBytes(root.resolve(name)));
    }

    @GetMapping("/e/{name}")
    public ResponseEntity<byte[]> cached(@PathVariable String name) throws IOException {
        Path file = root.resolve("c-" + encode(name) + ".bin");
        return ResponseEntity.ok(Files.readAllBytes(file));
    }
}
