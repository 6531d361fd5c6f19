package org.helpdesk.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;

@WebServlet("/attachments")
@MultipartConfig(maxFileSize = 20 * 1024 * 1024)
public class AttachmentServlet extends HttpServlet {

    private static final String BASE = "/var/lib/helpdesk/attachments";

    private Path root;

    @Override
    public void init() {
        root = Paths.get(BASE).toAbsolutePath().normalize();
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        if (req.getParameter("thumb") != null) {
            sendThumbnail(req.getParameter("thumb"), resp);
            return;
        }
        String location = BASE + "/" + req.getParameter("name");
        if (!location.startsWith(BASE + "/")) {
            resp.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        resp.setContentType("application/octet-stream");
        Files.copy(Paths.get(location), resp.getOutputStream());
    }

    private void sendThumbnail(String id, HttpServletResponse resp) throws IOException {
        long attachment;
        try {
            attachment = Long.parseLong(id);
        } catch (NumberFormatException e) {
            resp.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        resp.setContentType("image/png");
        Files.copy(root.resolve("thumbs").resolve(attachment + ".png"), resp.getOutputStream());
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp)
            throws ServletException, IOException {
        for (Part part : req.getParts()) {
            String submitted = part.getSubmittedFileName();
            if (submitted == null) {
                continue;
            }
            String stored = submitted.substring(submitted.lastIndexOf('\\') + 1);
            try (InputStream in = part.getInputStream()) {
                Files.copy(in, root.resolve(stored), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        resp.setStatus(HttpServletResponse.SC_CREATED);
    }

    @Override
    protected void doDelete(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        Path target = root.resolve(req.getParameter("name")).normalize();
        if (!target.startsWith(root) || target.equals(root)) {
            resp.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        Files.deleteIfExists(target);
        resp.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
