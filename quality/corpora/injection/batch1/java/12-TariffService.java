package com.acme.tariff;

import java.util.List;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/tariffs")
public class TariffService {

    private final SessionFactory sessions;

    public TariffService(SessionFactory sessions) {
        this.sessions = sessions;
    }

    @GetMapping
    public List<?> find(@RequestParam String ref) {
        String where;
        try {
            where = "id = " + Long.parseLong(ref);
        } catch (NumberFormatException e) {
            where = "code = '" + ref + "'";
        }
        try (Session session = sessions.openSession()) {
            return session.createNativeQuery("SELECT * FROM tariff WHERE " + where).list();
        }
    }

    @GetMapping("/strict")
    public List<?> strict(@RequestParam String ref) {
        String where;
        try {
            where = "id = " + Long.parseLong(ref);
        } catch (NumberFormatException e) {
            where = "id = -1";
        }
        try (Session session = sessions.openSession()) {
            return session.createNativeQuery("SELECT * FROM tariff WHERE " + where).list();
        }
    }
}
