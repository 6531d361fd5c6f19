package web.decode;

import java.io.*;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.Base64;
import javax.servlet.http.*;

public class DecodeServlet extends HttpServlet {

    private static final String ROOT = "/srv/decode/";

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse res) throws IOException {
        String name = req.getParameter("name");
        if (name.contains("..") || name.contains("/")) {
            res.sendError(400);
            return;
        }
        name = URLDecoder.decode(name, "UTF-8");
        try (InputStream in = new FileInputStream(ROOT + name)) {
            in.transferTo(res.getOutputStream());
        }
    }

    @Override
    protected void doDelete(HttpServletRequest req, HttpServletResponse res) throws IOException {
        for (Cookie c : req.getCookies()) {
            if (!"last".equals(c.getName()) || c.getValue().contains("..")) {
                continue;
            }
            String name = new String(Base64.getDecoder().decode(c.getValue()), StandardCharsets.UTF_8);
            Files.deleteIfExists(Paths.get(ROOT + name));
        }
    }

    @Override
    protected void doPut(HttpServletRequest req, HttpServletResponse res) throws IOException {
        String name = URLDecoder.decode(req.getHeader("X-Name"), "UTF-8");
        if (name.contains("..") || name.contains("/") || name.contains("\\")) {
            res.sendError(400);
            return;
        }
        Files.copy(req.getInputStream(), Paths.get(ROOT + name), StandardCopyOption.REPLACE_EXISTING);
    }
}
