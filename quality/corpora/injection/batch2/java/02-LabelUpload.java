package com.acme.labels;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.*;
import java.io.*;
import java.nio.file.*;

@WebServlet("/labels/upload")
@MultipartConfig(maxFileSize = 1 << 20)
public class LabelUpload extends HttpServlet {

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        Part part = request.getPart("label");
        String submitted = part.getSubmittedFileName();
        File target = new File("/srv/labels/" + submitted);
        try (InputStream in = part.getInputStream(); OutputStream out = new FileOutputStream(target)) {
            in.transferTo(out);
        }
        new ProcessBuilder("sh", "-c", "lp -d zebra-1 /srv/labels/" + submitted).start();
        response.setStatus(HttpServletResponse.SC_CREATED);
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        Part part = request.getPart("label");
        String leaf = Paths.get(part.getSubmittedFileName()).getFileName().toString();
        Files.copy(part.getInputStream(), Paths.get("/srv/labels", leaf), StandardCopyOption.REPLACE_EXISTING);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
