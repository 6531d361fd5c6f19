package cms.admin;

import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

@WebServlet("/admin/plugins")
@MultipartConfig(maxFileSize = 20_000_000)
public class PluginServlet extends HttpServlet {

    private final File plugins = new File("/opt/cms/plugins");

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(req.getInputStream())) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                if (entry.isDirectory()) {
                    continue;
                }
                File target = new File(plugins, entry.getName());
                try (OutputStream out = new FileOutputStream(target)) {
                    zip.transferTo(out);
                }
            }
        }
        resp.setStatus(204);
    }

    @Override
    protected void doPut(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Path root = plugins.toPath().toRealPath();
        try (ZipInputStream zip = new ZipInputStream(req.getInputStream())) {
            for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
                Path target = root.resolve(e.getName()).normalize();
                if (!target.startsWith(root)) {
                    throw new IOException("entry leaves the folder");
                }
                if (!e.isDirectory()) {
                    Files.copy(zip, target);
                }
            }
        }
        resp.setStatus(204);
    }
}
