package com.acme.crm.web;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.sql.DataSource;

@WebServlet("/customers/*")
public class CustomerServlet extends HttpServlet {

    @Resource(name = "jdbc/crm")
    private DataSource dataSource;

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        String action = req.getPathInfo() == null ? "/list" : req.getPathInfo();
        resp.setContentType("text/plain");
        try (Connection con = dataSource.getConnection()) {
            switch (action) {
                case "/find":
                    find(con, req.getParameter("name"), resp.getWriter());
                    break;
                case "/region":
                    region(con, req.getParameter("region"), resp.getWriter());
                    break;
                case "/orders":
                    orders(con, req.getParameter("customer"), resp.getWriter());
                    break;
                default:
                    page(con, req.getParameter("page"), resp.getWriter());
            }
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }

    private void find(Connection con, String name, PrintWriter out) throws SQLException {
        String sql = "SELECT id, name FROM customer WHERE lower(name) = '" + name.toLowerCase() + "'";
        try (Statement st = con.createStatement(); ResultSet rs = st.executeQuery(sql)) {
            print(rs, out);
        }
    }

    private void region(Connection con, String region, PrintWriter out) throws SQLException {
        try (PreparedStatement ps = con.prepareStatement("SELECT id, name FROM customer WHERE region = ?")) {
            ps.setString(1, region);
            try (ResultSet rs = ps.executeQuery()) {
                print(rs, out);
            }
        }
    }

    private void orders(Connection con, String customer, PrintWriter out) throws SQLException {
        String id = customer.replace("'", "''");
        StringBuilder sql = new StringBuilder("SELECT o.id, o.title FROM orders o");
        sql.append(" WHERE o.customer_id = ").append(id);
        sql.append(" ORDER BY o.id");
        try (Statement st = con.createStatement(); ResultSet rs = st.executeQuery(sql.toString())) {
            print(rs, out);
        }
    }

    private void page(Connection con, String page, PrintWriter out) throws SQLException {
        int offset;
        try {
            offset = Integer.parseInt(page) * 50;
        } catch (NumberFormatException e) {
            offset = 0;
        }
        String sql = "SELECT id, name FROM customer ORDER BY id LIMIT 50 OFFSET " + offset;
        try (Statement st = con.createStatement(); ResultSet rs = st.executeQuery(sql)) {
            print(rs, out);
        }
    }

    private void print(ResultSet rs, PrintWriter out) throws SQLException {
        while (rs.next()) {
            out.println(rs.getLong(1) + "\t" + rs.getString(2));
        }
    }
}
