package com.acme.ops;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.*;
import java.io.*;
import java.nio.charset.StandardCharsets;

@WebServlet(urlPatterns = "/logs/*")
public class LogServlet extends HttpServlet {

    private static final File DIR = new File("/var/log/acme");

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse res) throws IOException {
        String name = req.getParameter("f");
        if (name == null || name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.equals("..")) {
            res.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        copy(new FileInputStream(new File(DIR, name)), res);
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse res) throws IOException {
        String name = req.getParameter("f");
        if (name.contains("..")) {
            res.setStatus(HttpServletResponse.SC_BAD_REQUEST);
            log("rejected " + name);
        }
        try (Writer w = new OutputStreamWriter(new FileOutputStream(DIR + "/" + name, true), StandardCharsets.UTF_8)) {
            w.write(req.getParameter("line"));
        }
    }

    private static void copy(InputStream in, HttpServletResponse res) throws IOException {
        try (InputStream is = in) {
            is.transferTo(res.getOutputStream());
        }
    }
}
