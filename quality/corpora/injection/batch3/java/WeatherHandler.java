package weather;

import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

@Configuration
class WeatherHandler {

    private final DatabaseClient db;

    WeatherHandler(DatabaseClient db) {
        this.db = db;
    }

    private Mono<String> station(ServerRequest request) {
        return Mono.justOrEmpty(request.queryParam("station")).map(String::trim);
    }

    Mono<ServerResponse> latest(ServerRequest request) {
        return station(request)
                .map(s -> "SELECT temp FROM observation WHERE station = '" + s + "' ORDER BY at DESC LIMIT 1")
                .flatMap(sql -> db.sql(sql).map(row -> row.get("temp", Double.class)).one())
                .flatMap(t -> ServerResponse.ok().bodyValue(t));
    }

    Mono<ServerResponse> warmest(ServerRequest request) {
        return station(request)
                .flatMap(s -> db.sql("SELECT max(temp) AS t FROM observation WHERE station = :s").bind("s", s).map(row -> row.get("t", Double.class)).one())
                .flatMap(t -> ServerResponse.ok().bodyValue(t));
    }

    Mono<ServerResponse> alarms(ServerRequest request) {
        CompletableFuture<String> level = CompletableFuture
                .supplyAsync(() -> request.pathVariable("level"))
                .thenApply(l -> "level = '" + l + "'");
        return Mono.fromFuture(level)
                .flatMap(c -> db.sql("SELECT count(*) AS n FROM alarm WHERE " + c).map(row -> row.get("n", Long.class)).one())
                .flatMap(n -> ServerResponse.ok().bodyValue(n));
    }

    @Bean
    RouterFunction<ServerResponse> weatherRoutes() {
        return RouterFunctions.route()
                .GET("/weather/latest", this::latest)
                .GET("/weather/warmest", this::warmest)
                .GET("/weather/alarms/{level}", this::alarms)
                .build();
    }
}
