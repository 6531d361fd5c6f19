package photos;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.apache.commons.io.FilenameUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

@Controller
class PhotoController {

    private static final Path ALBUM = Path.of("/srv/photos/album");

    @PostMapping("/photos")
    String add(@RequestParam("photo") MultipartFile photo) throws IOException {
        String original = photo.getOriginalFilename();
        if (original == null || !original.toLowerCase().endsWith(".jpg")) {
            return "redirect:/photos?problem=type";
        }
        photo.transferTo(new File("/srv/photos/album/" + original));
        return "redirect:/photos";
    }

    @PostMapping("/photos/raw")
    String addRaw(@RequestParam("photo") MultipartFile photo) throws IOException {
        String name = FilenameUtils.getName(photo.getOriginalFilename());
        try (var in = photo.getInputStream()) {
            Files.copy(in, ALBUM.resolve("raw").resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        return "redirect:/photos";
    }

    @PostMapping("/photos/anonymous")
    String addAnonymous(@RequestParam("photo") MultipartFile photo, @RequestParam String album) throws IOException {
        String name = UUID.randomUUID() + ".jpg";
        Files.write(ALBUM.resolve(album).resolve(name), photo.getBytes());
        return "redirect:/photos";
    }
}
