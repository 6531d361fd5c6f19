package shop.web;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

@WebServlet("/orders")
public class OrderListServlet extends HttpServlet {

    private Connection open() throws SQLException, NamingException {
        return ((DataSource) new InitialContext().lookup("java:comp/env/jdbc/shop")).getConnection();
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        StringBuilder sql = new StringBuilder("SELECT number, total FROM orders WHERE 1 = 1");
        String state = req.getParameter("state");
        if (state != null && !state.isEmpty()) {
            sql.append(" AND state = '").append(state).append('\'');
        }
        sql.append(" ORDER BY number");
        try (Connection c = open(); Statement st = c.createStatement()) {
            ResultSet rs = st.executeQuery(sql.toString());
            while (rs.next()) {
                resp.getWriter().println(rs.getString(1) + ";" + rs.getBigDecimal(2));
            }
        } catch (SQLException | NamingException e) {
            resp.sendError(500);
        }
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        String[] numbers = req.getParameterValues("number");
        StringBuilder sql = new StringBuilder("UPDATE orders SET state = 'seen' WHERE number IN (");
        for (int i = 0; i < numbers.length; i++) {
            sql.append(i == 0 ? "?" : ", ?");
        }
        sql.append(')');
        try (Connection c = open(); PreparedStatement ps = c.prepareStatement(sql.toString())) {
            for (int i = 0; i < numbers.length; i++) {
                ps.setString(i + 1, numbers[i]);
            }
            ps.executeUpdate();
        } catch (SQLException | NamingException e) {
            resp.sendError(500);
        }
    }
}
