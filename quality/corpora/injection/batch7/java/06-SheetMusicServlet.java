package org.example.music;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.regex.Pattern;

@WebServlet("/scores/*")
@MultipartConfig
public class SheetMusicServlet extends HttpServlet {

    private static final Pattern OPUS = Pattern.compile("op[0-9]{1,4}(-[0-9]{1,2})?");
    private final File scores = new File("/srv/music/scores");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        String kind = req.getParameter("kind");
        if ("score".equals(kind)) {
            score(req, resp);
        } else if ("part".equals(kind)) {
            part(req, resp);
        } else {
            midi(req, resp);
        }
    }

    private void score(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        File file = new File(scores, req.getParameter("file"));
        String canonical = file.getCanonicalPath();
        if (!canonical.startsWith(scores.getCanonicalPath() + File.separator)) {
            resp.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        try (InputStream in = new FileInputStream(file)) {
            in.transferTo(resp.getOutputStream());
        }
    }

    private void part(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        File file = new File(scores, req.getParameter("file"));
        if (!file.getCanonicalPath().startsWith(scores.getCanonicalPath())) {
            resp.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        try (InputStream in = new FileInputStream(file)) {
            in.transferTo(resp.getOutputStream());
        }
    }

    private void midi(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String opus = req.getParameter("opus");
        if (opus == null || !OPUS.matcher(opus).matches()) {
            resp.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        resp.setContentType("audio/midi");
        try (InputStream in = new FileInputStream("/srv/music/midi/" + opus + ".mid")) {
            in.transferTo(resp.getOutputStream());
        }
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        Part upload = req.getPart("score");
        String name = upload.getSubmittedFileName();
        int colon = name.lastIndexOf(':');
        if (colon >= 0) {
            name = name.substring(colon + 1);
        }
        File target = new File(scores, name);
        try (InputStream in = upload.getInputStream(); OutputStream out = new FileOutputStream(target)) {
            in.transferTo(out);
        }
        resp.setStatus(HttpServletResponse.SC_CREATED);
    }
}
