package billing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/invoices")
class InvoiceController {

    private static final Logger LOG = LoggerFactory.getLogger(InvoiceController.class);
    private static final Set<String> COLUMNS = Set.of("issued", "due", "amount");

    enum Direction { ASC, DESC }

    private final JdbcTemplate jdbc;

    InvoiceController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping
    List<Map<String, Object>> list(@RequestParam(defaultValue = "issued") String sort) {
        boolean known = COLUMNS.contains(sort);
        if (!known) {
            LOG.warn("unknown sort column requested");
        }
        return jdbc.queryForList("SELECT number, amount FROM invoice ORDER BY " + sort);
    }

    @GetMapping("/due")
    List<Map<String, Object>> due(@RequestParam String sort, @RequestParam String direction) {
        if (!COLUMNS.contains(sort)) {
            throw new IllegalArgumentException("sort");
        }
        Direction d = Direction.valueOf(direction.toUpperCase());
        return jdbc.queryForList("SELECT number, amount FROM invoice WHERE paid IS NULL ORDER BY " + sort + " " + d);
    }

    @GetMapping("/of")
    Integer count(@RequestParam String customer, @RequestParam String year) {
        String sql = "SELECT count(*) FROM invoice WHERE customer = ? AND date_part('year', issued) = " + year;
        return jdbc.queryForObject(sql, Integer.class, customer);
    }
}
