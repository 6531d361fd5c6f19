package org.example.features;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

public class FeatureServlet extends HttpServlet {

    private static final boolean LEGACY = false;
    private static final int MODE = 3;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("feature");
        String file;
        if (LEGACY) {
            file = name;
        } else {
            file = "current.json";
        }
        try (InputStream in = new FileInputStream("/etc/features/" + file)) {
            in.transferTo(response.getOutputStream());
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("feature");
        int num = 106;
        String file = (7 * 42) - num > 200 ? "current.json" : name;
        try (InputStream in = new FileInputStream("/etc/features/" + file)) {
            in.transferTo(response.getOutputStream());
        }
        String script;
        switch (MODE) {
            case 1:
                script = name;
                break;
            case 3:
                script = "reload.sh";
                break;
            default:
                script = "none.sh";
        }
        Runtime.getRuntime().exec("/opt/features/" + script);
    }
}
