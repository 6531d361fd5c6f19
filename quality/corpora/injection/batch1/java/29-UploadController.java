package upload;

import java.io.File;
import java.io.IOException;
import java.nio.file.*;
import org.apache.commons.io.FilenameUtils;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;

@RestController
@RequestMapping("/u")
public class UploadController {

    private final String home = "/srv/u/";

    @PostMapping
    public void upload(@RequestParam MultipartFile file) throws IOException {
        String name = FilenameUtils.getName(file.getOriginalFilename());
        file.transferTo(new File(home + "u_" + name));
    }

    @PostMapping("/raw")
    public void raw(@RequestParam MultipartFile file) throws IOException {
        file.transferTo(new File(home + file.getOriginalFilename()));
    }

    @DeleteMapping
    public void delete(@RequestParam String name) throws IOException {
        Files.deleteIfExists(Paths.get(home, name.replace("../", "")));
    }

    @PutMapping
    public void put(@RequestParam String name, @RequestBody byte[] data) throws IOException {
        String n = name.replaceFirst("\\.\\./", "");
        Files.write(Paths.get(home + n), data);
    }
}
