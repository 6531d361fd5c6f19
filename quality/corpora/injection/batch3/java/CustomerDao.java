package crm;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.springframework.stereotype.Repository;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Repository
class CustomerDao {

    @PersistenceContext
    private EntityManager em;

    List<Customer> named(String name) {
        return em.createQuery("select c from Customer c where c.name = :name", Customer.class)
                .setParameter("name", name)
                .getResultList();
    }

    List<Customer> inSegment(String segment, String text) {
        String jpql = "select c from Customer c where c.segment = :segment and c.note like '%" + text + "%'";
        return em.createQuery(jpql, Customer.class).setParameter("segment", segment).getResultList();
    }

    int forget(String mail) {
        return em.createQuery("delete from Customer c where c.mail = '" + mail + "'").executeUpdate();
    }

    @SuppressWarnings("unchecked")
    List<Object[]> totals(String country) {
        return em.createNativeQuery("SELECT id, total FROM customer_total WHERE country = '" + country + "'").getResultList();
    }
}

@RestController
class CustomerController {

    private final CustomerDao dao;

    CustomerController(CustomerDao dao) {
        this.dao = dao;
    }

    @GetMapping("/customers")
    List<Customer> list(@RequestParam String name) {
        return dao.named(name);
    }

    @GetMapping("/customers/forget")
    int forget(@RequestParam String mail) {
        return dao.forget(mail);
    }

    @GetMapping("/customers/segment")
    List<Customer> segment(@RequestParam String segment, @RequestParam(defaultValue = "") String text) {
        return dao.inSegment(segment, text);
    }

    @GetMapping("/customers/totals")
    List<Object[]> totals(@RequestParam String country) {
        return dao.totals(country);
    }
}
