package lib;

import java.util.concurrent.CompletableFuture;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.*;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
@RequestMapping("/books")
public class LibraryReactive {

    private final DatabaseClient client;
    private final DSLContext dsl;

    public LibraryReactive(DatabaseClient client, DSLContext dsl) {
        this.client = client;
        this.dsl = dsl;
    }

    @GetMapping("/title")
    public Flux<Object> byTitle(@RequestParam Mono<String> title) {
        return title.map(t -> "SELECT isbn FROM book WHERE title LIKE '" + t + "%'")
                .flatMapMany(sql -> client.sql(sql).fetch().all().map(row -> row.get("isbn")));
    }

    @GetMapping("/author")
    public Flux<Object> byAuthor(@RequestParam String author) {
        return client.sql("SELECT isbn FROM book WHERE author = :author")
                .bind("author", author)
                .fetch().all()
                .map(row -> row.get("isbn"));
    }

    @GetMapping("/shelf")
    public CompletableFuture<Integer> byShelf(@RequestParam String shelf) {
        return CompletableFuture
                .supplyAsync(() -> "shelf = '" + shelf + "'")
                .thenApply(cond -> dsl.fetch("SELECT isbn FROM book WHERE " + cond).size());
    }
}
