package io.cargo;

import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.ws.rs.*;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

@Path("/cargo")
@Produces(MediaType.APPLICATION_JSON)
public class CargoResource {

    @Inject
    EntityManager em;

    @GET
    public List<?> list(@QueryParam("port") String port) {
        List<String> values = new ArrayList<>();
        values.add("HAM");
        values.add(port);
        values.add("open");
        values.remove(0);
        return em.createNativeQuery("SELECT id FROM cargo WHERE port = '" + values.get(0) + "'").getResultList();
    }

    @GET
    @Path("/default")
    public List<?> home(@QueryParam("port") String port) {
        List<String> values = new ArrayList<>();
        values.add("HAM");
        values.add(port);
        values.add("open");
        values.remove(1);
        return em.createNativeQuery("SELECT id FROM cargo WHERE state = '" + values.get(1) + "'").getResultList();
    }

    @GET
    @Path("/recent")
    public List<?> recent(@HeaderParam("X-Ship") String ship) {
        Deque<String> stack = new ArrayDeque<>();
        stack.push("none");
        stack.push(ship);
        String jpql = "SELECT c FROM Cargo c WHERE c.ship = '" + stack.pop() + "'";
        return em.createQuery(jpql).setMaxResults(10).getResultList();
    }
}
