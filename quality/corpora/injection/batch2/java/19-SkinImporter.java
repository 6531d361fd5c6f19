package skins;

import java.io.*;
import java.nio.file.*;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;

@RestController
public class SkinImporter {

    private final Path skins = Paths.get("/srv/skins").toAbsolutePath().normalize();

    @PostMapping("/skins")
    public ResponseEntity<String> skins(@RequestParam("zip") MultipartFile zip) throws IOException {
        int n = 0;
        try (ZipInputStream in = new ZipInputStream(zip.getInputStream())) {
            ZipEntry e;
            while ((e = in.getNextEntry()) != null) {
                File out = new File("/srv/skins", e.getName());
                if (e.isDirectory()) {
                    out.mkdirs();
                    continue;
                }
                try (OutputStream os = new FileOutputStream(out)) {
                    in.transferTo(os);
                }
                n++;
            }
        }
        return ResponseEntity.ok(n + " files");
    }

    @PostMapping("/icons")
    public ResponseEntity<String> icons(@RequestParam("zip") MultipartFile zip) throws IOException {
        try (ZipInputStream in = new ZipInputStream(zip.getInputStream())) {
            for (ZipEntry e = in.getNextEntry(); e != null; e = in.getNextEntry()) {
                Path out = skins.resolve(e.getName()).normalize();
                if (e.isDirectory() || !out.startsWith(skins)) {
                    continue;
                }
                Files.copy(in, out, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return ResponseEntity.ok("done");
    }
}
