package dev.helpline.tickets;

import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Configuration
public class TicketRoutes {

    private static final ParameterizedTypeReference<Map<String, Object>> ROW = new ParameterizedTypeReference<>() {};
    private static final String COLUMNS = "id, title, state, assignee";

    record NewTicket(String project, String title, int priority) {}

    private final DatabaseClient db;

    public TicketRoutes(DatabaseClient db) {
        this.db = db;
    }

    @Bean
    RouterFunction<ServerResponse> ticketRouter() {
        return route()
                .GET("/tickets/assigned", this::byAssignee)
                .GET("/tickets/urgent", this::byPriority)
                .GET("/tickets/labelled/{label}", this::byLabel)
                .POST("/tickets", this::create)
                .build();
    }

    Mono<ServerResponse> byAssignee(ServerRequest request) {
        Mono<String> clause = Mono.justOrEmpty(request.queryParam("assignee"))
                .map(String::trim)
                .map(name -> "assignee = '" + name + "'")
                .defaultIfEmpty("assignee IS NULL");
        Flux<Map<String, Object>> rows = clause.flatMapMany(
                c -> db.sql("SELECT " + COLUMNS + " FROM tickets WHERE " + c).fetch().all());
        return ServerResponse.ok().body(rows, ROW);
    }

    Mono<ServerResponse> byPriority(ServerRequest request) {
        int floor = request.queryParam("floor").map(Integer::parseInt).orElse(3);
        String sql = "SELECT " + COLUMNS + " FROM tickets WHERE priority >= " + floor;
        return ServerResponse.ok().body(db.sql(sql).fetch().all(), ROW);
    }

    Mono<ServerResponse> byLabel(ServerRequest request) {
        Flux<Map<String, Object>> rows = db.sql("SELECT " + COLUMNS + " FROM tickets WHERE label = :label")
                .bind("label", request.pathVariable("label"))
                .fetch().all();
        return ServerResponse.ok().body(rows, ROW);
    }

    Mono<ServerResponse> create(ServerRequest request) {
        return request.bodyToMono(NewTicket.class)
                .flatMap(this::insert)
                .flatMap(count -> ServerResponse.status(201).bodyValue(Map.of("inserted", count)));
    }

    private Mono<Long> insert(NewTicket ticket) {
        String sql = "INSERT INTO tickets_%s (title, priority) VALUES (:title, :priority)".formatted(ticket.project());
        return db.sql(sql)
                .bind("title", ticket.title())
                .bind("priority", ticket.priority())
                .fetch().rowsUpdated();
    }
}
