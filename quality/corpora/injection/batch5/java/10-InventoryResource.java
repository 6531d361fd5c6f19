package wms.inventory;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

@Path("/inventory")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
public class InventoryResource {

    private static final Set<String> GROUPS = Set.of("warehouse_code", "aisle", "category");
    private static final Set<String> VIEWS = Set.of("v_stock", "v_reorder", "v_damaged");

    @Inject
    DSLContext dsl;

    @GET
    public String list(@QueryParam("warehouse") String warehouse, @QueryParam("q") String q) {
        Condition condition = DSL.trueCondition();
        if (warehouse != null) {
            condition = condition.and("warehouse_code = ?", warehouse);
        }
        if (q != null) {
            condition = condition.and(DSL.condition("description ILIKE {0}", DSL.val("%" + q + "%")));
        }
        return dsl.selectFrom("stock").where(condition).limit(200).fetch().formatJSON();
    }

    @GET
    @Path("/by-attribute/{key}")
    public String byAttribute(@PathParam("key") String key, @QueryParam("value") String value) {
        String clause = "attributes ->> '" + key + "' = ?";
        return dsl.selectFrom("stock").where(clause, value).fetch().formatJSON();
    }

    @GET
    @Path("/totals")
    public String totals(@QueryParam("by") String by) {
        String columns = Stream.of(by.split(","))
                .map(String::trim)
                .filter(GROUPS::contains)
                .distinct()
                .collect(Collectors.joining(", "));
        if (columns.isEmpty()) {
            throw new BadRequestException("by");
        }
        return dsl.fetch(String.format("SELECT %1$s, sum(qty) FROM stock GROUP BY %1$s", columns)).formatJSON();
    }

    @GET
    @Path("/view")
    public String view(@QueryParam("name") String name) {
        if (VIEWS.stream().noneMatch(name::startsWith)) {
            throw new BadRequestException("name");
        }
        return dsl.fetch("SELECT * FROM " + name).formatCSV();
    }

    public record Adjustment(long stockId, int delta, String reason) { }

    @POST
    @Path("/adjust")
    public int adjust(Adjustment change) {
        String reason = change.reason().replace("'", "\\'");
        return dsl.execute(
                "UPDATE stock SET qty = qty + ?, reason = '" + reason + "' WHERE id = ?",
                change.delta(), change.stockId());
    }
}
