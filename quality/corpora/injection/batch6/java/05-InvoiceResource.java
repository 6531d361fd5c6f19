package com.acme.billing;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Set;

@Path("invoices")
@Produces(MediaType.APPLICATION_JSON)
@Transactional
public class InvoiceResource {

    private static final Set<String> FIELDS = Set.of("number", "issued", "total");

    @PersistenceContext
    EntityManager em;

    @GET
    @Path("search")
    public List<Invoice> search(@QueryParam("customer") String customer, @QueryParam("state") String state) {
        StringBuilder jpql = new StringBuilder("SELECT i FROM Invoice i WHERE 1 = 1");
        if (customer != null) {
            jpql.append(" AND i.customer.name LIKE '%").append(customer).append("%'");
        }
        if (state != null) {
            jpql.append(" AND i.state = :state");
        }
        var query = em.createQuery(jpql.toString(), Invoice.class);
        if (state != null) {
            query.setParameter("state", state);
        }
        return query.setMaxResults(100).getResultList();
    }

    @GET
    @Path("ordered")
    public Response ordered(@QueryParam("by") @DefaultValue("number") String by) {
        if (!FIELDS.contains(by)) {
            return Response.status(Response.Status.BAD_REQUEST).entity("by").build();
        }
        List<Invoice> list = em.createQuery("SELECT i FROM Invoice i ORDER BY i." + by, Invoice.class)
                .setMaxResults(100)
                .getResultList();
        return Response.ok(list).build();
    }

    @GET
    @Path("totals")
    public List<?> totals(@QueryParam("from") String from, @QueryParam("to") String to) {
        String sql = String.format(
                "SELECT customer_id, sum(total) FROM invoice WHERE issued BETWEEN '%s' AND '%s' GROUP BY customer_id",
                from, to);
        return em.createNativeQuery(sql).getResultList();
    }

    @GET
    @Path("overdue")
    public List<?> overdue(@QueryParam("days") int days, @QueryParam("clerk") String clerk) {
        return em.createNativeQuery("SELECT * FROM invoice WHERE due < current_date - " + days + " AND clerk = ?1")
                .setParameter(1, clerk)
                .getResultList();
    }

    @GET
    @Path("number")
    public List<Invoice> number(@QueryParam("number") String number) {
        CriteriaBuilder cb = em.getCriteriaBuilder();
        CriteriaQuery<Invoice> cq = cb.createQuery(Invoice.class);
        Root<Invoice> root = cq.from(Invoice.class);
        cq.where(cb.equal(root.get("number"), number));
        return em.createQuery(cq).getResultList();
    }
}
