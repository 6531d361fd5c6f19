package io.retail.reports;

import io.micronaut.http.annotation.*;
import io.micronaut.serde.annotation.Serdeable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.*;
import javax.sql.DataSource;

@Controller("/reports")
public class SalesReportController {

    private final DataSource dataSource;

    public SalesReportController(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Get("/summary")
    public List<String> summary(@QueryValue String by, @QueryValue String value) throws SQLException {
        Criterion criterion = by.equals("store") ? new StoreCriterion(value) : new YearCriterion(value);
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return rows(st.executeQuery("SELECT sku, sum(qty) FROM sales" + criterion.where() + " GROUP BY sku"));
        }
    }

    @Get("/yearly")
    public List<String> yearly(@QueryValue String year) throws SQLException {
        Criterion criterion = new YearCriterion(year);
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return rows(st.executeQuery("SELECT month, sum(total) FROM sales" + criterion.where() + " GROUP BY month"));
        }
    }

    @Get("/ledger")
    public List<String> ledger(@QueryValue String name) throws SQLException {
        Ledger ledger = "refunds".equals(name) ? new RefundLedger() : new SaleLedger();
        String sql = "SELECT booked_on, amount FROM " + ledger.table() + " ORDER BY booked_on DESC";
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return rows(st.executeQuery(sql));
        }
    }

    @Post("/preview")
    public List<String> preview(@Body ReportView view) throws SQLException {
        if (view.columns().contains(";") || view.columns().length() > 200) {
            throw new IllegalArgumentException("columns");
        }
        String sql = "SELECT " + view.columns() + " FROM sales LIMIT " + view.limit();
        try (Connection c = dataSource.getConnection(); Statement st = c.createStatement()) {
            return rows(st.executeQuery(sql));
        }
    }

    private static List<String> rows(ResultSet rs) throws SQLException {
        List<String> out = new ArrayList<>();
        while (rs.next()) {
            out.add(rs.getString(1) + ";" + rs.getString(2));
        }
        return out;
    }
}

@Serdeable
record ReportView(String title, String columns, int limit) { }

interface Criterion {
    String sql();

    default String where() { return " WHERE " + sql(); }
}

record StoreCriterion(String code) implements Criterion {
    public String sql() { return "store_code = '" + code + "'"; }
}

final class YearCriterion implements Criterion {
    private final int year;
    YearCriterion(String text) { this.year = Integer.parseInt(text); }
    public String sql() { return "sale_year = " + year; }
}

abstract class Ledger { abstract String table(); }
class RefundLedger extends Ledger { String table() { return "refund_entries"; } }

class SaleLedger extends Ledger { String table() { return "sale_entries"; } }
