package com.acme.inventory;

import java.util.List;
import javax.persistence.EntityManager;
import javax.persistence.PersistenceContext;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.QueryParam;

@Path("inventory")
public class InventoryDao {

    @PersistenceContext
    private EntityManager em;

    @GET
    @SuppressWarnings("unchecked")
    public List<Object[]> list(@QueryParam("bin") String bin,
                               @QueryParam("min") Integer min) {
        StringBuilder sb = new StringBuilder("SELECT id, name, qty FROM inventory WHERE 1=1");
        if (bin != null && !bin.isEmpty()) {
            sb.append(" AND bin = '").append(bin).append('\'');
        }
        if (min != null) {
            sb.append(" AND qty >= ").append(min);
        }
        sb.append(" ORDER BY name");
        return em.createNativeQuery(sb.toString()).getResultList();
    }

    @GET
    @Path("low")
    @SuppressWarnings("unchecked")
    public List<Object[]> low(@QueryParam("max") int max) {
        String sql = String.format("SELECT id, name FROM inventory WHERE qty < %d", max);
        return em.createNativeQuery(sql).getResultList();
    }
}
