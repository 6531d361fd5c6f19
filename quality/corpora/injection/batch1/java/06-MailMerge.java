package org.example.mail;

import java.io.FileWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

@WebServlet("/merge")
public class MailMerge extends HttpServlet {

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, String> values = new HashMap<>();
        values.put("template", "welcome");
        values.put("campaign", request.getParameter("campaign"));
        values.put("body", request.getParameter("body"));

        String log = "/srv/mail/" + values.get("template") + ".log";
        try (FileWriter w = new FileWriter(log, true)) {
            w.write(values.get("campaign") + System.lineSeparator());
        }

        String out = "/srv/mail/out/" + values.get("campaign") + ".eml";
        try (FileWriter w = new FileWriter(out)) {
            w.write(values.get("body"));
        }
        response.setStatus(HttpServletResponse.SC_CREATED);
    }
}
