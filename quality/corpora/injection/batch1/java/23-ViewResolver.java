package site.view;

import java.io.*;
import java.util.Set;
import java.util.logging.Logger;
import javax.servlet.http.*;

public class ViewResolver extends HttpServlet {

    private static final Logger LOG = Logger.getLogger("views");
    private static final Set<String> VIEWS = Set.of("home.html", "about.html", "contact.html");

    private boolean known(String view) {
        boolean hit = VIEWS.contains(view);
        if (!hit) {
            LOG.warning("unknown view requested: " + view);
        }
        return hit;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String view = request.getParameter("view");
        known(view);
        try (BufferedReader r = new BufferedReader(new FileReader("/srv/site/views/" + view))) {
            String line;
            while ((line = r.readLine()) != null) {
                response.getWriter().println(line);
            }
        }
        if (known(view)) {
            new FileOutputStream("/srv/site/stats/" + view + ".hit").close();
        }
    }
}
