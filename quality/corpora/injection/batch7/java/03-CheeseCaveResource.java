package org.example.cheese;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;

@Path("/wheels")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
public class CheeseCaveResource {

    private static final Map<String, String> SORTS = Map.of(
        "age", "w.agedDays desc",
        "weight", "w.kilograms",
        "shelf", "w.shelf, w.position");

    @Inject
    EntityManager em;

    @GET
    public List<Wheel> list(@QueryParam("milk") String milk, @QueryParam("sort") @DefaultValue("age") String sort) {
        String order = SORTS.getOrDefault(sort, "w.id");
        return em.createQuery("select w from Wheel w where w.milk = :milk order by " + order, Wheel.class)
            .setParameter("milk", milk)
            .getResultList();
    }

    @GET
    @Path("/affineur")
    public List<Wheel> byAffineur(@QueryParam("name") String name, @QueryParam("rind") String rind) {
        StringBuilder jpql = new StringBuilder("select w from Wheel w where w.affineur = :name");
        if (rind != null && !rind.isBlank()) {
            jpql.append(" and w.rind = '").append(rind).append('\'');
        }
        return em.createQuery(jpql.toString(), Wheel.class).setParameter("name", name).getResultList();
    }

    @GET
    @Path("/notes")
    @SuppressWarnings("unchecked")
    public List<String> notes(@QueryParam("q") String q) {
        String escaped = q.replace("%", "\\%").replace("_", "\\_");
        String sql = String.format("SELECT body FROM tasting_notes WHERE body LIKE '%%%s%%'", escaped);
        Query query = em.createNativeQuery(sql);
        query.setMaxResults(100);
        return query.getResultList();
    }

    @POST
    @Path("/turn")
    @Transactional
    public int turn(@HeaderParam("X-Shelf") String shelf, @QueryParam("step") String step) {
        int positions;
        try {
            positions = Integer.parseInt(step);
        } catch (NumberFormatException e) {
            throw new BadRequestException("step");
        }
        return em.createNativeQuery("UPDATE wheels SET turned = turned + " + positions + " WHERE shelf = ?1")
            .setParameter(1, shelf)
            .executeUpdate();
    }
}

class Wheel {
    public Long id;
    public String milk;
    public String rind;
    public String affineur;
    public String shelf;
    public int position;
    public int agedDays;
    public double kilograms;
}
