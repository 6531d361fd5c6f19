package org.ledgerworks.reports;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

@WebServlet("/reports/*")
public class ReportServlet extends HttpServlet {

    private static final String ROOT = "/srv/reports";
    private static final Path BASE = Path.of(ROOT);
    private static final Path PREVIEWS = Path.of("/srv/previews");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        String name = req.getParameter("name");
        if (name == null) {
            resp.sendError(400);
        } else if ("preview".equals(req.getParameter("mode"))) {
            preview(name, resp);
        } else {
            download(name, resp);
        }
    }

    private void download(String name, HttpServletResponse resp) throws IOException {
        if (!name.startsWith("public/")) {
            resp.sendError(403);
            return;
        }
        File report = new File(ROOT, name);
        resp.setContentType("application/pdf");
        try (InputStream in = new FileInputStream(report)) {
            in.transferTo(resp.getOutputStream());
        }
    }

    private void preview(String name, HttpServletResponse resp) throws IOException {
        Path page = PREVIEWS.resolve(name + ".png").normalize();
        if (!page.startsWith(PREVIEWS)) {
            resp.sendError(403);
            return;
        }
        resp.setContentType("image/png");
        Files.copy(page, resp.getOutputStream());
    }

    @Override
    protected void doPut(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Path target = BASE.resolve(fileName(req));
        Files.copy(req.getInputStream(), target, StandardCopyOption.REPLACE_EXISTING);
        resp.setStatus(HttpServletResponse.SC_CREATED);
    }

    private static String fileName(HttpServletRequest req) {
        String header = req.getHeader("X-File-Name");
        return header.substring(header.indexOf('/') + 1);
    }

    @Override
    protected void doDelete(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String full = new File(ROOT, req.getParameter("name")).getCanonicalPath();
        if (!full.startsWith(ROOT + File.separator)) {
            resp.sendError(404);
            return;
        }
        Files.delete(Path.of(full));
        resp.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
