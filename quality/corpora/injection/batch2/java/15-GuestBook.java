package guest;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import javax.servlet.http.*;
import org.apache.commons.text.StringEscapeUtils;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.springframework.web.util.HtmlUtils;

public class GuestBook extends HttpServlet {

    private SessionFactory factory;

    @Override
    public void init() {
        factory = (SessionFactory) getServletContext().getAttribute("sessionFactory");
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String author = StringEscapeUtils.escapeJava(req.getParameter("author"));
        try (Session s = factory.openSession()) {
            for (Object row : s.createNativeQuery("SELECT body FROM entry WHERE author = '" + author + "'").list()) {
                resp.getWriter().println(HtmlUtils.htmlEscape(String.valueOf(row)));
            }
        }
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String page = HtmlUtils.htmlEscape(req.getParameter("page"));
        String body = HtmlUtils.htmlEscape(req.getParameter("body"));
        try (FileWriter out = new FileWriter(new File("/srv/guest", page), true)) {
            out.write(body + "\n");
        }
        try (Session s = factory.openSession()) {
            s.createQuery("select e.id from Entry e where e.page = :page")
                    .setParameter("page", page)
                    .list();
        }
        resp.sendRedirect("/guest");
    }
}
