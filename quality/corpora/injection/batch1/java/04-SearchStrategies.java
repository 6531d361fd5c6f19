package com.acme.search;

import io.javalin.Javalin;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

public class SearchStrategies {

    interface Strategy {
        List<String> find(Handle h, String term);
    }

    static class Exact implements Strategy {
        public List<String> find(Handle h, String term) {
            return h.createQuery("SELECT title FROM film WHERE title = :t")
                    .bind("t", term)
                    .mapTo(String.class)
                    .list();
        }
    }

    static class Prefix implements Strategy {
        public List<String> find(Handle h, String term) {
            return h.createQuery("SELECT title FROM film WHERE title LIKE '" + term + "%'")
                    .mapTo(String.class)
                    .list();
        }
    }

    static class Soundex extends Prefix {
        @Override
        public List<String> find(Handle h, String term) {
            return super.find(h, term.toLowerCase());
        }
    }

    public static void main(String[] args) {
        Jdbi jdbi = Jdbi.create("jdbc:postgresql://db/films");
        Map<String, Strategy> all = Map.of("exact", new Exact(), "prefix", new Prefix(), "soundex", new Soundex());
        Javalin app = Javalin.create().start(7000);
        app.get("/films", ctx -> {
            Strategy s = all.getOrDefault(ctx.queryParam("mode"), all.get("exact"));
            ctx.json(jdbi.withHandle(h -> s.find(h, ctx.queryParam("q"))));
        });
    }
}
