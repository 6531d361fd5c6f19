package shop.web;

import java.io.IOException;
import java.sql.*;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.*;
import javax.sql.DataSource;

@WebServlet("/coupon")
public class CouponServlet extends HttpServlet {

    @Resource(name = "jdbc/shop")
    private DataSource ds;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        String code = req.getParameter("code");
        String q = "SELECT percent FROM coupon WHERE code = '" + code + "' AND valid_until > CURRENT_DATE";
        try (Connection con = ds.getConnection();
             ResultSet rs = con.prepareStatement(q).executeQuery()) {
            resp.getWriter().print(rs.next() ? rs.getInt(1) : 0);
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    @Override
    protected void doPost(HttpServletRequest req, HttpServletResponse resp) throws ServletException {
        try (Connection con = ds.getConnection();
             PreparedStatement ps = con.prepareStatement("UPDATE coupon SET used = used + 1 WHERE code = ?")) {
            ps.setString(1, req.getParameter("code"));
            resp.setStatus(ps.executeUpdate() == 1 ? 204 : 404);
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }
}
