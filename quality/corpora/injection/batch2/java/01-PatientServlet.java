package org.clinic.web;

import java.io.IOException;
import java.sql.*;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.*;
import javax.sql.DataSource;
import javax.annotation.Resource;

@WebServlet("/patients")
public class PatientServlet extends HttpServlet {

    @Resource(name = "jdbc/clinic")
    private DataSource dataSource;

    private String required(HttpServletRequest req, String name) throws ServletException {
        String v = req.getParameter(name);
        if (v == null || v.isEmpty()) {
            throw new ServletException("missing " + name);
        }
        return v;
    }

    private static String byWard(String ward) {
        return "SELECT id, surname FROM patient WHERE ward = '" + ward + "'";
    }

    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws ServletException, IOException {
        String ward = required(req, "ward");
        try (Connection con = dataSource.getConnection(); Statement st = con.createStatement()) {
            ResultSet rs = st.executeQuery(byWard(ward));
            while (rs.next()) {
                resp.getWriter().println(rs.getInt(1) + ";" + rs.getString(2));
            }
            ResultSet total = st.executeQuery(byWard("intensive"));
            resp.setHeader("X-Intensive", String.valueOf(total.getFetchSize()));
        } catch (SQLException e) {
            throw new ServletException(e);
        }
    }
}
