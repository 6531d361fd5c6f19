package cms.themes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.io.FileUtils;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;

@RestController
@RequestMapping("/themes")
public class ThemeController {

    private static final File SITE = new File("/srv/web/site");
    private static final File BACKUPS = new File("/srv/web/site-backups");
    private static final Path FONTS = Paths.get("/srv/web/fonts");

    @PostMapping
    public int install(@RequestParam MultipartFile archive) throws IOException {
        int count = 0;
        try (ZipInputStream zip = new ZipInputStream(archive.getInputStream())) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                if (entry.isDirectory()) {
                    continue;
                }
                File out = new File(SITE, entry.getName());
                if (!out.getCanonicalPath().startsWith(SITE.getCanonicalPath())) {
                    throw new IOException("Bad entry: " + entry.getName());
                }
                FileUtils.copyToFile(zip, out);
                count++;
            }
        }
        return count;
    }

    @PostMapping("/fonts")
    public void fonts(@RequestParam MultipartFile archive) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(archive.getInputStream())) {
            for (TarArchiveEntry e = tar.getNextTarEntry(); e != null; e = tar.getNextTarEntry()) {
                Path target = FONTS.resolve(e.getName()).normalize();
                if (e.isFile() && target.startsWith(FONTS)) {
                    FileUtils.copyToFile(tar, target.toFile());
                }
            }
        }
    }

    @GetMapping("/asset")
    public byte[] asset(@RequestParam String theme, @RequestParam String name) throws IOException {
        String file = name.replace("../", "");
        return Files.readAllBytes(Paths.get(SITE.getPath(), "themes", slug(theme), file));
    }

    @GetMapping("/manifest")
    public byte[] manifest(@RequestParam String theme) throws IOException {
        return Files.readAllBytes(Paths.get(SITE.getPath(), "themes", slug(theme), "theme.json"));
    }

    @GetMapping("/backup")
    public Resource backup(@RequestParam String day) {
        LocalDate date = LocalDate.parse(day);
        return new FileSystemResource(new File(BACKUPS, date.getYear() + "-" + date.getDayOfYear() + ".zip"));
    }

    private static String slug(String text) {
        return "t-" + text.toLowerCase().replaceAll("[^a-z0-9]+", "-");
    }
}
