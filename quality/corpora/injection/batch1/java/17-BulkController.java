package com.acme.bulk;

import java.util.*;
import java.util.stream.Collectors;
import javax.persistence.EntityManager;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/bulk")
public class BulkController {

    private final EntityManager em;

    public BulkController(EntityManager em) {
        this.em = em;
    }

    @DeleteMapping("/ids")
    public int ids(@RequestParam String ids) {
        String list = Arrays.stream(ids.split(","))
                .map(String::trim)
                .filter(s -> !s.isEmpty())
                .collect(Collectors.joining(","));
        return em.createNativeQuery("DELETE FROM note WHERE id IN (" + list + ")").executeUpdate();
    }

    @DeleteMapping("/numbers")
    public int numbers(@RequestParam String ids) {
        String list = Arrays.stream(ids.split(","))
                .map(String::trim)
                .map(Long::valueOf)
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return em.createNativeQuery("DELETE FROM note WHERE id IN (" + list + ")").executeUpdate();
    }

    @DeleteMapping("/tags")
    public int tags(@RequestParam List<String> tags) {
        String list = tags.stream().map(t -> "'" + t + "'").collect(Collectors.joining(","));
        return em.createNativeQuery("DELETE FROM note_tag WHERE tag IN (" + list + ")").executeUpdate();
    }
}
