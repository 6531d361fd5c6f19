package com.acme.bank;

import java.io.IOException;
import java.sql.*;
import javax.naming.InitialContext;
import javax.servlet.http.*;
import javax.sql.DataSource;

public class AccountServlet extends HttpServlet {

    private String owner(HttpServletRequest req) {
        String o = req.getParameter("owner");
        return o == null ? "" : o.trim();
    }

    private String condition(String column, String value) {
        return column + " = '" + value + "'";
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String sql = "SELECT id, balance FROM account WHERE " + condition("owner", owner(req));
        try {
            DataSource ds = (DataSource) new InitialContext().lookup("java:comp/env/jdbc/bank");
            try (Connection con = ds.getConnection(); Statement st = con.createStatement()) {
                ResultSet rs = st.executeQuery(sql);
                while (rs.next()) {
                    resp.getWriter().println(rs.getLong(1) + ";" + rs.getBigDecimal(2));
                }
                ResultSet total = st.executeQuery("SELECT count(*) FROM account WHERE " + condition("state", "open"));
                total.next();
                resp.getWriter().println(total.getInt(1));
            }
        } catch (Exception e) {
            resp.sendError(500);
        }
    }
}
