package com.acme.orders.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/orders")
public class OrderController {

    private static final Map<String, String> SORT_COLUMNS =
            Map.of("date", "o.created_at", "total", "o.total_cents", "state", "o.status");

    private final JdbcTemplate jdbc;

    public OrderController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping
    public List<Map<String, Object>> list(@RequestParam(defaultValue = "date") String sort,
                                          @RequestParam(defaultValue = "asc") String dir,
                                          @RequestParam(defaultValue = "0") int page) {
        String column = SORT_COLUMNS.getOrDefault(sort, "o.created_at");
        String direction = "desc".equalsIgnoreCase(dir) ? "DESC" : "ASC";
        String sql = "SELECT o.id, o.total_cents FROM orders o ORDER BY " + column + " " + direction
                + " LIMIT 50 OFFSET " + page * 50;
        return jdbc.queryForList(sql);
    }

    @GetMapping("/search")
    public List<Map<String, Object>> search(@RequestParam String customer,
                                            @RequestParam(required = false) String status) {
        OrderQuery query = new OrderQuery().customer(customer).status(status);
        return jdbc.queryForList(query.toSql(), query.args());
    }

    @GetMapping("/by-amount")
    public List<Map<String, Object>> byAmount(@RequestParam String min) {
        String lowerBound = min.replace("'", "''");
        return jdbc.queryForList(
                "SELECT id, total_cents FROM orders WHERE total_cents >= " + lowerBound);
    }

    @DeleteMapping("/{id}/lines")
    public int deleteLines(@PathVariable long id, @RequestParam List<Long> lineIds) {
        String ids = lineIds.stream().map(String::valueOf).collect(Collectors.joining(","));
        return jdbc.update("DELETE FROM order_lines WHERE order_id = " + id + " AND id IN (" + ids + ")");
    }

    static class OrderQuery {
        private final StringBuilder where = new StringBuilder(" WHERE 1 = 1");
        private final List<Object> args = new ArrayList<>();

        OrderQuery customer(String name) {
            where.append(" AND customer_name = ?");
            args.add(name);
            return this;
        }

        OrderQuery status(String status) {
            if (status != null) {
                where.append(" AND status = '").append(status).append("'");
            }
            return this;
        }

        String toSql() {
            return "SELECT id, customer_name, status FROM orders" + where;
        }

        Object[] args() {
            return args.toArray();
        }
    }
}
