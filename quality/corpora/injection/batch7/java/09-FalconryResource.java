package org.example.falconry;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;

@Path("/birds")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class FalconryResource {

    public static class Flight {
        public String ring;
        public int minutes;
        public String quarry;
    }

    private static final Set<String> MEASURES = Set.of("weight_g", "wing_mm", "flights");

    private final Jdbi jdbi;

    public FalconryResource(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    @GET
    public List<String> list(@QueryParam("species") List<String> species, @QueryParam("mews") String mews) {
        if (species.isEmpty()) {
            return List.of();
        }
        return jdbi.withHandle(h -> h
            .createQuery("SELECT ring FROM birds WHERE mews = :mews AND species IN (<species>)")
            .bind("mews", mews)
            .bindList("species", species)
            .mapTo(String.class)
            .list());
    }

    @GET
    @Path("/rank")
    public List<String> rank(@QueryParam("measure") String measure) {
        if (!MEASURES.contains(measure)) {
            throw new WebApplicationException("unknown measure", 400);
        }
        return jdbi.withHandle(h -> h
            .createQuery("SELECT ring FROM birds ORDER BY <measure> DESC LIMIT 10")
            .define("measure", measure)
            .mapTo(String.class)
            .list());
    }

    @GET
    @Path("/filter")
    public List<String> filter(@QueryParam("where") String where, @QueryParam("value") String value) {
        return jdbi.withHandle(h -> h
            .createQuery("SELECT ring FROM birds WHERE <column> = :value")
            .define("column", where)
            .bind("value", value)
            .mapTo(String.class)
            .list());
    }

    @POST
    @Path("/{mews}/flights")
    public int flight(@PathParam("mews") String mews, Flight flight) {
        if (flight.minutes <= 0) {
            throw new WebApplicationException("minutes", 422);
        }
        return jdbi.inTransaction(h -> {
            h.execute("INSERT INTO flights (ring, minutes) VALUES (?, ?)", flight.ring, flight.minutes);
            return h.execute("UPDATE birds SET last_quarry = '" + flight.quarry + "' WHERE ring = ?", flight.ring);
        });
    }
}
