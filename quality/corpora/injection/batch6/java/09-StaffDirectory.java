package com.acme.directory;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.sql.DataSource;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

@RestController
public class StaffDirectory {

    private static final String BASE = "ou=people,dc=acme,dc=com";

    private final DirContext ldap;
    private final Document rooms;
    private final DataSource audit;

    public StaffDirectory(DirContext ldap, Document rooms, DataSource audit) {
        this.ldap = ldap;
        this.rooms = rooms;
        this.audit = audit;
    }

    private static SearchControls subtree() {
        SearchControls sc = new SearchControls();
        sc.setSearchScope(SearchControls.SUBTREE_SCOPE);
        sc.setCountLimit(50);
        return sc;
    }

    @GetMapping("/staff/by-uid")
    public List<String> byUid(@RequestParam String uid) throws NamingException {
        return names(ldap.search(BASE, "(&(objectClass=inetOrgPerson)(uid=" + uid + "))", subtree()));
    }

    @GetMapping("/staff/by-mail")
    public List<String> byMail(@RequestParam String mail) throws NamingException {
        return names(ldap.search(BASE, "(&(objectClass=inetOrgPerson)(mail={0}))", new Object[] {mail}, subtree()));
    }

    @GetMapping("/rooms/of")
    public int roomsOf(@RequestParam String owner) throws XPathExpressionException {
        XPath xpath = XPathFactory.newInstance().newXPath();
        String expr = "/rooms/room[@owner='" + owner + "']";
        NodeList found = (NodeList) xpath.evaluate(expr, rooms, XPathConstants.NODESET);
        return found.getLength();
    }

    @GetMapping("/rooms/on-floor")
    public int roomsOnFloor(@RequestParam String floor) throws XPathExpressionException {
        XPath xpath = XPathFactory.newInstance().newXPath();
        xpath.setXPathVariableResolver(name -> "floor".equals(name.getLocalPart()) ? floor : "");
        NodeList found = (NodeList) xpath.evaluate("/rooms/room[@floor=$floor]", rooms, XPathConstants.NODESET);
        return found.getLength();
    }

    @GetMapping("/staff/seen")
    public int seen(@RequestParam String uid) throws SQLException {
        String sql = "SELECT count(*) FROM logins WHERE uid = '%s'".formatted(uid.trim());
        try (Connection con = audit.getConnection();
             ResultSet rs = con.createStatement().executeQuery(sql)) {
            return rs.next() ? rs.getInt(1) : 0;
        }
    }

    private static List<String> names(NamingEnumeration<SearchResult> results) throws NamingException {
        List<String> out = new ArrayList<>();
        try {
            while (results.hasMore()) {
                out.add(results.next().getNameInNamespace());
            }
        } finally {
            results.close();
        }
        return out;
    }
}
