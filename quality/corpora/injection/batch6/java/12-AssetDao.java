package com.acme.assets;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.sql.DataSource;

abstract class BaseDao<T> {

    protected final DataSource ds;

    BaseDao(DataSource ds) {
        this.ds = ds;
    }

    protected abstract String table();

    protected abstract T map(ResultSet rs) throws SQLException;

    List<T> findById(long id) throws SQLException {
        try (Connection con = ds.getConnection();
             PreparedStatement ps = con.prepareStatement("SELECT * FROM " + table() + " WHERE id = ?")) {
            ps.setLong(1, id);
            return collect(ps.executeQuery());
        }
    }

    List<T> findWhere(String clause) throws SQLException {
        try (Connection con = ds.getConnection();
             PreparedStatement ps = con.prepareStatement("SELECT * FROM " + table() + " WHERE " + clause)) {
            return collect(ps.executeQuery());
        }
    }

    protected List<T> collect(ResultSet rs) throws SQLException {
        List<T> out = new ArrayList<>();
        while (rs.next()) {
            out.add(map(rs));
        }
        return out;
    }
}

record Asset(long id, String tag, String owner) { }

public class AssetDao extends BaseDao<Asset> {

    private int pageSize = 20;

    public AssetDao(DataSource ds) {
        super(ds);
    }

    @Override
    protected String table() {
        return "asset";
    }

    @Override
    protected Asset map(ResultSet rs) throws SQLException {
        return new Asset(rs.getLong("id"), rs.getString("tag"), rs.getString("owner"));
    }

    public List<Asset> show(HttpServletRequest req) throws SQLException {
        return findById(Long.parseLong(req.getParameter("id")));
    }

    public List<Asset> ofOwner(HttpServletRequest req) throws SQLException {
        String owner = req.getParameter("owner");
        return findWhere("owner = '" + owner + "'");
    }

    public void configure(HttpServletRequest req) {
        pageSize = Integer.parseInt(req.getParameter("size"));
    }

    public List<Asset> first() throws SQLException {
        try (Connection con = ds.getConnection();
             ResultSet rs = con.createStatement().executeQuery("SELECT * FROM asset ORDER BY id LIMIT " + pageSize)) {
            return collect(rs);
        }
    }

    public List<Asset> range(HttpServletRequest req) throws SQLException {
        String[] parts = req.getHeader("X-Range").split("-");
        String sql = "SELECT * FROM asset ORDER BY id LIMIT " + parts[0];
        if (parts.length > 1) {
            sql += " OFFSET " + parts[1];
        }
        try (Connection con = ds.getConnection();
             ResultSet rs = con.createStatement().executeQuery(sql)) {
            return collect(rs);
        }
    }
}
