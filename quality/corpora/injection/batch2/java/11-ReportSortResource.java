package com.reports.api;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.sql.*;
import java.util.*;
import javax.sql.DataSource;

@Controller("/reports")
public class ReportSortResource {

    private static final Set<String> COLUMNS = Set.of("created", "owner", "pages");

    private final DataSource ds;

    public ReportSortResource(DataSource ds) {
        this.ds = ds;
    }

    private List<String> read(ResultSet rs) throws SQLException {
        List<String> out = new ArrayList<>();
        while (rs.next()) out.add(rs.getString(1));
        return out;
    }

    @Get("/mine")
    public HttpResponse<?> mine(@QueryValue String owner, @QueryValue(defaultValue = "created") String sort) throws SQLException {
        if (!COLUMNS.contains(sort)) {
            return HttpResponse.badRequest();
        }
        try (Connection c = ds.getConnection();
             PreparedStatement ps = c.prepareStatement("SELECT title FROM report WHERE owner = ? ORDER BY " + sort)) {
            ps.setString(1, owner);
            return HttpResponse.ok(read(ps.executeQuery()));
        }
    }

    @Get("/shared")
    public HttpResponse<?> shared(@QueryValue String team, @QueryValue(defaultValue = "created") String sort) throws SQLException {
        String column = sort.replace("'", "''");
        try (Connection c = ds.getConnection();
             PreparedStatement ps = c.prepareStatement("SELECT title FROM report WHERE team = ? ORDER BY " + column)) {
            ps.setString(1, team);
            return HttpResponse.ok(read(ps.executeQuery()));
        }
    }
}
