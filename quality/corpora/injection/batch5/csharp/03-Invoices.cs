using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.EntityFrameworkCore;

namespace Billing.Web.Pages;

public class InvoicesModel : PageModel
{
    private readonly BillingContext _db;

    public InvoicesModel(BillingContext db) => _db = db;

    [BindProperty(SupportsGet = true)]
    public string Customer { get; set; } = "";

    [BindProperty(SupportsGet = true)]
    public string? Region { get; set; }

    [BindProperty(SupportsGet = true)]
    public string Order { get; set; } = "date";

    public List<Invoice> Items { get; private set; } = [];

    public async Task OnGetAsync()
    {
        Items = await _db.Invoices
            .FromSqlInterpolated($"SELECT * FROM Invoices WHERE CustomerCode = {Customer}")
            .AsNoTracking()
            .ToListAsync();
    }

    public async Task<IActionResult> OnGetRegionAsync()
    {
        var clause = RegionClause();
        Items = await _db.Invoices
            .FromSqlRaw($"SELECT * FROM Invoices WHERE Paid = 0 {clause}")
            .ToListAsync();
        return Page();
    }

    public async Task OnGetSortedAsync()
    {
        var column = Order switch
        {
            "total" => "TotalCents",
            "due" => "DueOn",
            _ => "IssuedOn",
        };
        Items = await _db.Invoices.FromSqlRaw("SELECT * FROM Invoices ORDER BY " + column).ToListAsync();
    }

    public async Task<IActionResult> OnPostArchiveAsync(string number)
    {
        string sql = $"UPDATE Invoices SET Archived = 1 WHERE Number = '{number}'";
        await _db.Database.ExecuteSqlRawAsync(sql);
        return RedirectToPage();
    }

    public async Task<IActionResult> OnPostRemindAsync(string number)
    {
        FormattableString sql = $"UPDATE Invoices SET RemindedOn = GETDATE() WHERE Number = {number}";
        var changed = await _db.Database.ExecuteSqlAsync(sql);
        return changed == 0 ? NotFound() : RedirectToPage();
    }

    private string RegionClause() =>
        string.IsNullOrEmpty(Region) ? "" : "AND Region = '" + Region.Replace("\\", "\\\\").Replace("\"", "") + "'";
}

public class Invoice
{
    public int Id { get; set; }
    public string Number { get; set; } = "";
    public string Region { get; set; } = "";
}

public class BillingContext(DbContextOptions<BillingContext> options) : DbContext(options)
{
    public DbSet<Invoice> Invoices => Set<Invoice>();
}
