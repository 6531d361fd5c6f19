package branding;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import javax.servlet.*;
import javax.servlet.http.HttpServletRequest;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.IOUtils;

public class BrandingFilter implements Filter {

    private static final String BASE = "/srv/brands/";

    @Override
    public void doFilter(ServletRequest rq, ServletResponse rs, FilterChain chain) throws IOException, ServletException {
        HttpServletRequest req = (HttpServletRequest) rq;
        String brand = req.getParameter("brand");
        if (brand == null) {
            chain.doFilter(rq, rs);
            return;
        }
        if ("logo".equals(req.getParameter("part"))) {
            String cleaned = brand.replace("../", "");
            try (FileInputStream in = new FileInputStream(BASE + cleaned)) {
                IOUtils.copy(in, rs.getOutputStream());
            }
        } else if ("css".equals(req.getParameter("part"))) {
            String cleaned = brand.replaceAll("[^a-z0-9]", "");
            File css = new File(BASE + cleaned, "style.css");
            rs.getOutputStream().write(FileUtils.readFileToByteArray(css));
        } else {
            String lower = brand.toLowerCase();
            if (lower.contains("passwd") || lower.contains("shadow") || lower.startsWith("/")) {
                throw new ServletException("rejected");
            }
            String text = FileUtils.readFileToString(new File(BASE, brand), "UTF-8");
            rs.getWriter().write(text);
        }
    }

    @Override
    public void init(FilterConfig config) {
    }

    @Override
    public void destroy() {
    }
}
