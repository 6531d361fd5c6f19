package theme;

import java.io.*;
import java.nio.file.*;
import java.util.zip.*;
import javax.servlet.ServletException;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.http.*;

@MultipartConfig
public class ThemeInstaller extends HttpServlet {

    private static final File TARGET = new File("/srv/themes");

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse res) throws IOException, ServletException {
        Part part = req.getPart("theme");
        try (ZipInputStream zip = new ZipInputStream(part.getInputStream())) {
            ZipEntry e;
            while ((e = zip.getNextEntry()) != null) {
                if (e.isDirectory()) {
                    continue;
                }
                File f = new File(TARGET, e.getName());
                try (FileOutputStream out = new FileOutputStream(f)) {
                    zip.transferTo(out);
                }
            }
        }
    }

    @Override
    protected void doPut(HttpServletRequest req, HttpServletResponse res) throws IOException {
        Path root = TARGET.toPath().toAbsolutePath().normalize();
        try (ZipInputStream zip = new ZipInputStream(req.getInputStream())) {
            ZipEntry e;
            while ((e = zip.getNextEntry()) != null) {
                Path p = root.resolve(e.getName()).normalize();
                if (!p.startsWith(root) || e.isDirectory()) {
                    continue;
                }
                Files.copy(zip, p, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
