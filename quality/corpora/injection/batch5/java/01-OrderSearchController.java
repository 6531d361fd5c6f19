package com.acme.orders.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/orders")
public class OrderSearchController {

    private static final Map<String, String> SORT_COLUMNS = Map.of(
            "date", "o.created_at",
            "total", "o.total_cents",
            "customer", "c.last_name");

    private static final String BASE =
            "SELECT o.id, o.reference, o.status, o.total_cents, c.last_name "
                    + "FROM orders o JOIN customers c ON c.id = o.customer_id";

    private final JdbcTemplate jdbc;

    public OrderSearchController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping
    public List<Map<String, Object>> list(@RequestParam(defaultValue = "date") String sort,
                                          @RequestParam(defaultValue = "asc") String dir,
                                          @RequestParam(defaultValue = "50") int limit) {
        String column = SORT_COLUMNS.getOrDefault(sort, "o.created_at");
        String direction = "desc".equalsIgnoreCase(dir) ? "DESC" : "ASC";
        String sql = BASE + " ORDER BY " + column + " " + direction + " LIMIT " + limit;
        return jdbc.queryForList(sql);
    }

    @GetMapping("/search")
    public List<Map<String, Object>> search(@ModelAttribute OrderFilter filter) {
        StringBuilder sql = new StringBuilder(BASE).append(" WHERE 1 = 1");
        List<Object> args = new ArrayList<>();
        if (filter.customer() != null) {
            sql.append(" AND c.last_name ILIKE ?");
            args.add("%" + filter.customer() + "%");
        }
        if (filter.statuses() != null && !filter.statuses().isEmpty()) {
            String in = filter.statuses().stream()
                    .map(s -> "'" + s.toUpperCase() + "'")
                    .collect(Collectors.joining(","));
            sql.append(" AND o.status IN (").append(in).append(")");
        }
        return jdbc.queryForList(sql.toString(), args.toArray());
    }

    @PostMapping("/lookup")
    public List<Map<String, Object>> lookup(@RequestBody List<String> references) {
        if (references.isEmpty()) {
            return List.of();
        }
        String marks = String.join(",", Collections.nCopies(references.size(), "?"));
        return jdbc.queryForList(BASE + " WHERE o.reference IN (" + marks + ")", references.toArray());
    }

    @GetMapping("/count")
    public Integer count(@RequestParam String prefix) {
        String where = "reference LIKE '" + escape(prefix) + "%'";
        return jdbc.queryForObject("SELECT count(*) FROM orders WHERE " + where, Integer.class);
    }

    private static String escape(String value) {
        return value.replace("\"", "\\\"").replace("%", "\\%");
    }

    public record OrderFilter(String customer, List<String> statuses) {
    }
}
