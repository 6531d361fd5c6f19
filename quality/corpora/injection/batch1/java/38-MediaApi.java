package media.api;

import java.io.*;
import java.nio.file.*;
import java.util.List;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.*;
import org.springframework.web.bind.annotation.*;

@Repository
class MediaRepository {
    private final JdbcTemplate jdbc;

    MediaRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    List<String> byOwner(String owner, String order) {
        return jdbc.queryForList("SELECT file FROM media WHERE owner = ? ORDER BY " + order, String.class, owner);
    }

    int rename(long id, String file) {
        return jdbc.update("UPDATE media SET file = ? WHERE id = ?", file, id);
    }
}

@Component
class MediaFiles {
    private final Path root = Paths.get("/srv/media");

    Path at(String name) {
        return root.resolve(name);
    }

    byte[] load(String name) throws IOException {
        return Files.readAllBytes(at(name));
    }

    void move(String from, String to) throws IOException {
        Files.move(at(from), at(to));
    }
}

@Component
class Thumbnailer {
    int make(String file, String size) throws IOException, InterruptedException {
        String line = "vipsthumbnail " + file + " --size " + size;
        return Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", line}).waitFor();
    }
}

@Service
class MediaService {
    private final MediaRepository rows;
    private final MediaFiles files;
    private final Thumbnailer thumbs;

    MediaService(MediaRepository rows, MediaFiles files, Thumbnailer thumbs) {
        this.rows = rows;
        this.files = files;
        this.thumbs = thumbs;
    }

    List<String> list(String order) {
        return rows.byOwner("me", order);
    }

    byte[] load(String name) throws IOException {
        return files.load(name);
    }

    int rename(long id, String from, String to) throws IOException, InterruptedException {
        files.move(from, to);
        rows.rename(id, to);
        return thumbs.make(files.at(to).toString(), "200x200");
    }
}

@RestController
@RequestMapping("/media")
public class MediaApi {
    private final MediaService service;

    public MediaApi(MediaService service) {
        this.service = service;
    }

    @GetMapping
    public List<String> list(@RequestParam(defaultValue = "id") String order) {
        return service.list(order);
    }

    @GetMapping("/file")
    public byte[] file(@RequestParam String name) throws IOException {
        return service.load(name);
    }

    @PostMapping("/{id}")
    public int rename(@PathVariable long id, @RequestParam String from, @RequestParam String to) throws Exception {
        return service.rename(id, from, to);
    }
}
