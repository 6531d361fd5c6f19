using System.Collections.Generic;
using Microsoft.AspNetCore.Mvc;
using NHibernate;

namespace Accounts;

public class Criteria
{
    public string Iban { get; set; } = "";
    public string Branch { get; set; } = "";
    public long Minimum { get; set; }
}

public class AccountQuery
{
    private readonly Criteria _criteria;
    public string Table = "account";

    public AccountQuery(Criteria criteria) => _criteria = criteria;

    public string ByBranch => $"SELECT iban FROM {Table} WHERE branch = '{_criteria.Branch}'";

    public string ByMinimum => $"SELECT iban FROM {Table} WHERE balance >= {_criteria.Minimum}";
}

public class Holder
{
    public string Text = "none";
}

[Route("accounts")]
public class AccountsController : Controller
{
    private readonly ISession _session;

    public AccountsController(ISession session) => _session = session;

    [HttpPost("search")]
    public IActionResult Search([FromForm] Criteria criteria)
    {
        var q = new AccountQuery(criteria);
        IList<object> rich = _session.CreateSQLQuery(q.ByMinimum).List<object>();
        IList<object> local = _session.CreateSQLQuery(q.ByBranch).List<object>();
        return Json(new { rich, local });
    }

    [HttpPost("owner")]
    public IActionResult Owner([FromForm] Criteria criteria)
    {
        var a = new Holder();
        var b = new Holder();
        a.Text = criteria.Iban;
        var named = _session.CreateQuery("from Account where owner = '" + b.Text + "'").List<object>();
        var mine = _session.CreateQuery("from Account where iban = '" + a.Text + "'").List<object>();
        return Json(new { named, mine });
    }
}
