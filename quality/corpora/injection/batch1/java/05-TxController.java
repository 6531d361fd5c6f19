package com.acme.tx;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class TxController {

    private final JdbcTemplate jdbc;

    public TxController(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    private <T> T timed(String label, Supplier<T> body) {
        long start = System.nanoTime();
        try {
            return body.get();
        } finally {
            System.out.println(label + " " + (System.nanoTime() - start));
        }
    }

    @GetMapping("/tx")
    public List<Long> byMemo(@RequestParam String memo) {
        Function<String, String> toSql = m -> "SELECT id FROM tx WHERE memo = '" + m + "'";
        return timed("memo", () -> jdbc.queryForList(toSql.apply(memo), Long.class));
    }

    @GetMapping("/tx/count")
    public Long count(@RequestParam String memo) {
        return timed("count", () ->
                jdbc.queryForObject("SELECT count(*) FROM tx WHERE memo = ?", Long.class, memo));
    }
}
