package media;

import java.io.*;
import java.nio.file.*;
import jakarta.servlet.http.*;

public class MediaServlet extends HttpServlet {

    private static final Path ROOT = Paths.get("/srv/media").toAbsolutePath().normalize();
    private static final File BASE = new File("/srv/media");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse res) throws IOException {
        Path p = ROOT.resolve(req.getParameter("f")).normalize();
        if (!p.startsWith(ROOT)) {
            res.sendError(403);
            return;
        }
        Files.copy(p, res.getOutputStream());
    }

    @Override
    protected void doDelete(HttpServletRequest req, HttpServletResponse res) throws IOException {
        Path p = ROOT.resolve(req.getParameter("f"));
        if (!p.startsWith(ROOT)) {
            res.sendError(403);
            return;
        }
        Files.delete(p);
    }

    @Override
    protected void doPut(HttpServletRequest req, HttpServletResponse res) throws IOException {
        File f = new File(BASE, req.getParameter("f"));
        if (!f.getCanonicalPath().startsWith(BASE.getCanonicalPath())) {
            res.sendError(403);
            return;
        }
        try (OutputStream out = new FileOutputStream(f)) {
            req.getInputStream().transferTo(out);
        }
    }
}
