package parcels;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

@Controller("/parcels")
public class ParcelController {

    private final Jdbi jdbi;

    public ParcelController(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    @Get("/depot")
    public List<String> atDepot(@QueryValue String depot) {
        Map<String, String> p = new HashMap<>();
        p.put("depot", depot);
        p.put("state", "waiting");
        String sql = "SELECT code FROM parcel WHERE depot = '" + p.get("depot") + "' AND state = '" + p.get("state") + "'";
        return jdbi.withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
    }

    @Get("/waiting")
    public List<String> waiting(@QueryValue String depot) {
        Map<String, String> p = new HashMap<>();
        p.put("depot", depot);
        p.put("state", "waiting");
        String sql = "SELECT code FROM parcel WHERE state = '" + p.get("state") + "'";
        return jdbi.withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
    }

    @Get("/routes")
    public List<String> routes(@QueryValue String via) {
        Map<String, Map<String, String>> nested = new HashMap<>();
        nested.computeIfAbsent("filter", k -> new HashMap<>()).put("via", via);
        String clause = String.join(" ", "via =", "'" + nested.get("filter").get("via") + "'");
        return jdbi.withHandle(h -> h.select("SELECT name FROM route WHERE " + clause).mapTo(String.class).list());
    }
}
