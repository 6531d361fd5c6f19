package photos;

import java.io.IOException;
import java.nio.file.*;
import java.util.regex.Pattern;
import org.springframework.core.io.FileSystemResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/photos")
public class PhotoController {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}\\.jpe?g");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Path ROOT = Paths.get("/srv/photos");

    @GetMapping
    public ResponseEntity<byte[]> get(@RequestParam String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        return ResponseEntity.ok(Files.readAllBytes(ROOT.resolve(name)));
    }

    @DeleteMapping
    public void delete(@RequestParam String name) throws IOException {
        if (!NAME.matcher(name).find()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        Files.deleteIfExists(ROOT.resolve(name));
    }

    @PostMapping("/rotate")
    public void rotate(@RequestParam String name, @RequestParam String angle) throws IOException {
        if (!name.matches("[a-z0-9]+") || !DIGITS.asMatchPredicate().test(angle)) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        Runtime.getRuntime().exec(new String[] {"sh", "-c", "mogrify -rotate " + angle + " /srv/photos/" + name + ".jpg"});
    }

    @PostMapping("/scale")
    public void scale(@RequestParam String size) throws IOException {
        if (!DIGITS.matcher(size).lookingAt()) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
        }
        Runtime.getRuntime().exec(new String[] {"sh", "-c", "mogrify -resize " + size + " /srv/photos/*.jpg"});
    }
}
